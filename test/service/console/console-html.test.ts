import { expect, it } from "vitest";
import { html } from "../../../service/src/console/html/html";

it("html`` escapes characters that could end a text or an attribute", () => {
  const { text } = html`<a title="${`"'<>&`}">${"<b>&amp;</b>"}</a>`;
  expect(text).toBe(
    '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;&amp;amp;&lt;/b&gt;</a>',
  );
});

it("html`` inserts its own HTML unescaped, also from nested lists", () => {
  const items = ["<1>", [html`<i>${"<2>"}</i>`, 3]];
  expect(html`<p>${items}</p>`.text).toBe("<p>&lt;1&gt;<i>&lt;2&gt;</i>3</p>");
});

it("html`` shows zero, but nothing for null, undefined, false and an empty text", () => {
  expect(html`${0}${null}${undefined}${false}${""}`.text).toBe("0");
});

it("html`` refuses an object that only looks like HTML", () => {
  const forged = { text: "<script>" } as unknown as string;
  expect(() => html`${forged}`).toThrow();
});
