/** The images that every server takes which takes images at all. */
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

/** The images among what is pasted or dropped. */
export function imagesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => TYPES.test(type));
}

/** An image as a base64 `data:` URL. */
export function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the image cannot be read'));
    reader.readAsDataURL(file);
  });
}
