import { ask } from '../intent.ts';

/** The types of images that every server takes that takes images at all. */
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

/** The largest image that the host takes, bytes; a larger one is not even read. */
const LARGEST_IMAGE = 5_000_000;

/** The images among what is pasted or dropped. */
export function imagesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => TYPES.test(type));
}

/** An image as a base64 `data:` URL. */
function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the image cannot be read'));
    reader.readAsDataURL(file);
  });
}

/** Attaches images to the message of a composer, which is not sent before they have been read. */
export class Images {
  readonly #composer: EventTarget;
  readonly #send: () => void;
  #reading = 0;
  #isHeld = false;

  constructor(composer: EventTarget, send: () => void) {
    this.#composer = composer;
    this.#send = send;
  }

  /** Attaches each image that is not too large. */
  take(images: readonly File[]): void {
    for (const image of images) {
      if (image.size > LARGEST_IMAGE) ask(this.#composer, { type: 'refuse-image', bytes: image.size });
      else void this.#attach(image);
    }
  }

  /** Whether the message has to wait: it is sent when all images are read. */
  holds(): boolean {
    this.#isHeld = this.#reading > 0;
    return this.#isHeld;
  }

  async #attach(image: File): Promise<void> {
    this.#reading += 1;
    try {
      ask(this.#composer, { type: 'attach-image', url: await readImage(image) });
    } finally {
      this.#reading -= 1;
      if (this.#isHeld && this.#reading === 0) this.#send();
    }
  }
}
