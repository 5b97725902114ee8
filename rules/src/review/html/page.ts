import { createHash } from "node:crypto";
import { Markup, markup, type MarkupPart } from "./markup";
import { PAGE_STYLE } from "./page-style";

/**
 * An HTML page that needs nothing but itself: no script runs on it, and it
 * loads nothing; its content policy forbids both.
 */
export function page(title: string, body: MarkupPart): string {
  const hash = createHash("sha256").update(PAGE_STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return text;
}
