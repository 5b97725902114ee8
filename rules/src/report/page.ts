import { Markup, markup, type MarkupPart } from "./markup";

/**
 * Makes an HTML page that is complete in one file. Its content security policy
 * forbids scripts and every load.
 */
export function page(title: string, body: MarkupPart): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
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

/**
 * The style sheet of the page: it follows the reader's light or dark setting,
 * and fits a phone.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0;
  --soft: #f6f8fa; --before: #8c959f; --after: #0969da;
  --low: #1a7f37; --medium: #9a6700; --high: #cf222e;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --text: #e6edf3; --quiet: #9198a1; --line: #3d444d;
    --soft: #151b23; --before: #6e7781; --after: #4493f8;
    --low: #3fb950; --medium: #d29922; --high: #f85149;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 70rem; padding: 1rem;
  background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.35rem; line-height: 1.3; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
figure { margin: 1rem 0; }
code, pre { font: .85em/1.45 ui-monospace, monospace; unicode-bidi: isolate; }
code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
pre {
  background: var(--soft); border: 1px solid var(--line); border-radius: .4rem;
  padding: .75rem; overflow-x: auto; overflow-wrap: normal;
}
.verdict {
  border: 1px solid var(--line); border-left: .4rem solid var(--grade);
  border-radius: .4rem; padding: .75rem 1rem;
}
.verdict strong { color: var(--grade); font-size: 1.2rem; }
.low { --grade: var(--low); }
.medium { --grade: var(--medium); }
.high { --grade: var(--high); }
.verdict ul { margin: .5rem 0; padding-left: 1.2rem; }
.verdict ul.conditions { list-style: none; padding-left: 0; }
.verdict p { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td {
  border-bottom: 1px solid var(--line); padding: .35rem .5rem;
  text-align: left; vertical-align: top;
}
th { color: var(--quiet); font-weight: 600; }
.number { text-align: right; }
.wide { table-layout: fixed; overflow-wrap: break-word; }
.wide th { overflow-wrap: normal; }
.changes th:nth-child(1) { width: 2.5rem; }
.changes th:nth-child(2) { width: 24%; }
.changes th:nth-child(3) { width: 5rem; }
.changes th:nth-child(4) { width: 27%; }
.rules th:nth-child(1) { width: 24%; }
.rules th:nth-child(2) { width: 12%; }
.rules th:nth-child(5) { width: 14%; }
.values th:nth-child(1) { width: 16%; }
.values th:nth-child(2) { width: 42%; }
@media screen and (max-width: 40rem) {
  .wide, .wide tbody, .wide tr, .wide td { display: block; width: auto; }
  .wide tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .wide tr:first-child { display: none; }
  .wide td { border: 0; padding: .1rem 0; text-align: left; }
  .wide td:empty { display: none; }
  .wide td[data-label]::before {
    content: attr(data-label) ": "; color: var(--quiet); font-weight: 600;
  }
}
.chart { display: block; width: 100%; height: 10rem; border: solid var(--line); border-width: 0 0 1px 1px; }
.chart path { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }
.chart .before { stroke: var(--before); stroke-dasharray: 4 3; }
.chart .after { stroke: var(--after); }
.chart rect { fill: transparent; }
.chart rect:hover { fill: var(--line); fill-opacity: .4; }
.ends { display: flex; justify-content: space-between; }
.key { font-weight: 600; }
.key.before { color: var(--before); }
.key.after { color: var(--after); }
.bar { display: block; width: 100%; height: .55rem; background: var(--soft); }
td > .bar:first-child { margin-top: .35rem; }
.bar .before { fill: var(--before); }
.bar .after { fill: var(--after); }
summary { cursor: pointer; font-weight: 600; margin: 1rem 0 .5rem; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  tr, figure { break-inside: avoid; }
  h2, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; }
}
`;
