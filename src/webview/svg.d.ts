/** An icon's markup: the bundler takes such a file as text. */
declare module '*.svg' {
  const markup: string;
  export default markup;
}
