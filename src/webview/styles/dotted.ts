import { css } from 'lit';

/**
 * Parts in a row, each a `span`, with a point before each but the first. It stands left of where its part begins: at the
 * beginning of a line that is outside, and cut off. No line ends with one.
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
