import { ask } from './intent.ts';

/** The types of the addresses of dropped files: from the editor itself, and from elsewhere. */
const ADDRESSES = ['application/vnd.code.uri-list', 'text/uri-list'];

/** The most files of one drop that are passed on. */
const MOST = 100;

/**
 * Handles drops on a page: `takeImages` gets images, the host opens other files, which may be sessions of agents. The
 * browser handles everything else.
 */
export function takeDrops(page: HTMLElement, takeImages: (files: readonly File[]) => boolean): void {
  // Without this the editor takes files that come from outside.
  const allow = (event: DragEvent) => {
    if (event.dataTransfer?.types.some((type) => type === 'Files' || ADDRESSES.includes(type))) event.preventDefault();
  };
  page.addEventListener('dragenter', allow);
  page.addEventListener('dragover', allow);
  page.addEventListener('drop', (event) => {
    const { dataTransfer: data } = event;
    if (event.defaultPrevented || data === null) return;
    const uris = addressesIn(data).slice(0, MOST);
    const files = [...data.files].slice(0, MOST);
    if (uris.length + files.length === 0) return;
    event.preventDefault();
    if (files.length > 0 && takeImages(files)) return;
    const named = files.map(({ name, size }) => ({ name, bytes: size }));
    ask(page, { type: 'open-dropped', uris, files: uris.length > 0 ? [] : named });
  });
}

function addressesIn(data: DataTransfer): readonly string[] {
  const lists = ADDRESSES.map((type) => data.getData(type));
  const lines = (lists.find((list) => list !== '') ?? '').split(/\r?\n/);
  return lines.filter((line) => /^(?:file|vscode-remote):/.test(line));
}
