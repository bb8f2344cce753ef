/** VS Code draws `$(name)` in a list or in its status bar as an icon: such text is shown as text. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
