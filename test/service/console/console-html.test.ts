import { expect, it } from "vitest";
import { markup } from "@devid/rules/internals";

it("markup`` escapes characters that could end a text or an attribute", () => {
  const { text } = markup`<a title="${`"'<>&`}">${"<b>&amp;</b>"}</a>`;
  expect(text).toBe(
    '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;&amp;amp;&lt;/b&gt;</a>',
  );
});

it("markup`` inserts its own HTML unescaped, also from nested lists", () => {
  const items = ["<1>", [markup`<i>${"<2>"}</i>`, 3]];
  expect(markup`<p>${items}</p>`.text).toBe(
    "<p>&lt;1&gt;<i>&lt;2&gt;</i>3</p>",
  );
});

it("markup`` shows zero, but nothing for null, undefined, false and an empty text", () => {
  expect(markup`${0}${null}${undefined}${false}${""}`.text).toBe("0");
});

it("markup`` refuses an object that only looks like HTML", () => {
  const forged = { text: "<script>" } as unknown as string;
  expect(() => markup`${forged}`).toThrow();
});
