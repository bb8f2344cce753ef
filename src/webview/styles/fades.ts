import { css } from 'lit';

/** For a part that scrolls: a line that is cut fades, since there is more below: into `--fade`, over `--fade-height`. */
export const fades = css`
  .fades {
    container-type: scroll-state;
  }
  @container scroll-state(scrollable: bottom) {
    .fades::after {
      content: '';
      display: block;
      position: sticky;
      bottom: 0;
      height: var(--fade-height, 18px);
      margin-top: calc(0px - var(--fade-height, 18px));
      background: linear-gradient(transparent, var(--fade, var(--karl-background)));
      pointer-events: none;
    }
  }
`;
