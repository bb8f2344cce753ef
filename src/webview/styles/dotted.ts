import { css } from 'lit';

/**
 * Parts in a row, each a `span`, with a point before each but the first. The point is to the left of its part: at the
 * beginning of a line that is outside, where it is cut off. No line ends with one.
 */
export const dotted = css`
  .dotted {
    clip-path: inset(0);
  }
  .dotted > span {
    position: relative;
    padding-right: 0.6em;
  }
  .dotted > span:not(:first-child)::before {
    content: '·' / '';
    position: absolute;
    left: -0.9em;
    width: 0.9em;
    text-align: center;
  }
`;
