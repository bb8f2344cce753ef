/** The values of the page. `cspSource` and `scriptUri` come from `vscode.Webview`; `nonce` is new for every page. */
export interface WebviewPage {
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly title: string;
  /** A tab among the editors has their background. */
  readonly place?: 'view' | 'editor';
  /** The user's language and its sentences; English without them. */
  readonly language?: string;
  readonly sentences?: Readonly<Record<string, string>>;
}

/**
 * The page of Karl's view. Its policy allows only scripts with the nonce, and nothing from the network. Components use
 * constructed style sheets, which the policy does not restrict, so inline styles are not needed. The sentences of the
 * user's language are in the page as data.
 */
export function webviewHtml(page: WebviewPage): string {
  const { nonce, cspSource, scriptUri, title, place = 'view', language = 'en', sentences = {} } = page;
  const policy = [
    `default-src 'none'`,
    `img-src ${cspSource} data:`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}" class="${place}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>${escapeAttribute(title)}</title>
</head>
<body>
<karl-app role="main"></karl-app>
<script type="application/json" id="sentences">${JSON.stringify(sentences).replaceAll('<', '\\u003c')}</script>
<script nonce="${escapeAttribute(nonce)}" src="${escapeAttribute(scriptUri)}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
