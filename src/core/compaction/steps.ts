export { filterInSteps, runInSlices, type Steps, sortInSteps } from '../steps.ts';
