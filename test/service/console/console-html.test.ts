import { expect, it } from "vitest";
import { html } from "../../../service/src/console/html/html";

it("escapes what could end a text or an attribute", () => {
  const { text } = html`<a title="${`"'<>&`}">${"<b>&amp;</b>"}</a>`;
  expect(text).toBe(
    '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;&amp;amp;&lt;/b&gt;</a>',
  );
});

it("takes HTML of its own as it is, in lists and in lists of lists", () => {
  const items = ["<1>", [html`<i>${"<2>"}</i>`, 3]];
  expect(html`<p>${items}</p>`.text).toBe("<p>&lt;1&gt;<i>&lt;2&gt;</i>3</p>");
});

it("shows zero, and nothing for what is not there", () => {
  expect(html`${0}${null}${undefined}${false}${""}`.text).toBe("0");
});

it("does not take an object for HTML that only looks like it", () => {
  const forged = { text: "<script>" } as unknown as string;
  expect(() => html`${forged}`).toThrow();
});
