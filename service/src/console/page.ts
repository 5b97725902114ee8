import { html, type Content, type Html } from "./html";

/**
 * A whole document. Everything it needs comes from this origin: nothing is
 * written into it that a Content-Security-Policy would have to allow.
 */
export function page(title: string, script: string, body: Content): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/${script}"></script>
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        ${body}
      </body>
    </html> `;
}
