import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** What hinders a user with a screen reader, or with weak eyes. `unsure`: how many contrasts axe-core left to us. */
interface Violations {
  readonly found: readonly string[];
  readonly unsure: number;
}

/** What axe-core finds on a page with this background, one that VS Code gives the view. */
export async function findViolations(
  page: Page | Frame,
  background: string,
  options: RunOptions = {},
): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { passes, ...violations } = await page.evaluate(runAxe, { background, options });
  assert.ok(passes > 0, 'nothing was checked');
  return violations;
}

/**
 * Runs in the page, so that it uses nothing from outside itself. Contrasts that axe-core is not sure of are measured
 * here: it cannot tell what is behind the words of a `vscode-button`, which has a line of its own over them, nor what
 * is behind code that goes out of sight. 4.5 is demanded of all, whatever their size (WCAG 2.2, 1.4.3).
 */
async function runAxe(given: { readonly background: string; readonly options: RunOptions }) {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (brush === null) throw new Error('no colour can be read');
  const colorOf = (css: string): Color => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const mix = (under: Color, over: Color, share: number): Color => {
    const channel = (at: 0 | 1 | 2) => under[at] + (over[at] - under[at]) * share;
    return [channel(0), channel(1), channel(2), 1];
  };
  const parentOf = (one: Element): Element | undefined => {
    const up = one.assignedSlot ?? one.parentNode;
    return up instanceof ShadowRoot ? up.host : up instanceof Element ? up : undefined;
  };
  const chainTo = (one: Element): Element[] => {
    const up = parentOf(one);
    return [...(up === undefined ? [] : chainTo(up)), one];
  };
  /** What is painted inside the first of the chain, on `behind`; an opacity holds for all that is in its element. */
  const paint = (behind: Color, [first, ...rest]: readonly Element[], text: Color | undefined): Color => {
    if (first === undefined) return text === undefined ? behind : mix(behind, text, text[3]);
    const style = getComputedStyle(first);
    if (style.backgroundImage !== 'none') throw new Error(`an image is behind ${first.outerHTML}`);
    const own = colorOf(style.backgroundColor);
    return mix(behind, paint(mix(behind, own, own[3]), rest, text), Number(style.opacity));
  };
  const luminance = (color: Color): number => {
    const linear = (at: 0 | 1 | 2) => {
      const share = color[at] / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
  };
  const contrastOf = (one: Element): number => {
    const chain = chainTo(one);
    const white: Color = [255, 255, 255, 1];
    const [dim = 0, bright = 0] = [
      luminance(paint(white, chain, undefined)),
      luminance(paint(white, chain, colorOf(getComputedStyle(one).color))),
    ].toSorted((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };

  document.body.style.background = given.background;
  const { axe } = window as unknown as { readonly axe: { run(options: RunOptions): Promise<AxeResults> } };
  const { passes, violations, incomplete } = await axe.run({
    preload: false,
    selectors: false,
    resultTypes: ['violations', 'incomplete'],
    ...given.options,
    elementRef: true,
  });
  const unsure = incomplete.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes);
  const faint = unsure.flatMap(({ element, html }) => {
    if (element === undefined) return [`no element for ${html}`];
    // What cannot be pressed may be faint.
    if (chainTo(element).some((one) => one.matches(':disabled'))) return [];
    const contrast = contrastOf(element);
    const words = (parentOf(element) ?? element).textContent?.trim();
    return contrast < 4.5 ? [`contrast ${contrast.toFixed(2)} of "${words}" in ${html}`] : [];
  });
  document.body.style.background = '';
  const known = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  return { passes: passes.length, found: [...known, ...faint], unsure: unsure.length };
}
