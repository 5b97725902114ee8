import { expect, it } from "vitest";
import { parse } from "yaml";
import { textOf } from "../helpers/repository";

// The pages that the Pulumi Registry takes from a provider's repository.

const INDEX = "docs/_index.md";
const INSTALLATION = "docs/installation-configuration.md";

const blocksOf = (path: string) =>
  [...textOf(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = "", code = ""]) => ({ language, code }),
  );

it.each([INDEX, INSTALLATION])(
  "%s has the front matter that the Registry requires, and its tags are closed",
  (page) => {
    const text = textOf(page);
    const matter = /^---\n(.*?)^---$/ms.exec(text)?.[1] ?? "";
    expect(parse(matter)).toMatchObject({
      title: expect.stringContaining("devid") as string,
      meta_desc: expect.stringMatching(/^.{20,160}$/) as string,
      layout: "package",
    });
    const offered =
      /chooser language "(.*?)"/.exec(text)?.[1]?.split(",") ?? [];
    const tags = [
      ...text.matchAll(/\{\{% (choosable language (\w+)|\/choosable) %\}\}/g),
    ];
    const languages = tags.filter((_, index) => index % 2 === 0);
    expect(languages.map(([, , language]) => language)).toEqual(offered);
    expect(
      tags.filter((_, index) => index % 2 === 1).map(([tag]) => tag),
    ).toEqual(languages.map(() => "{{% /choosable %}}"));
    expect(text.split("{{< /chooser >}}")).toHaveLength(
      offered.length > 0 ? 2 : 1,
    );
  },
);

it("the examples are the same as on pages whose examples are tested", () => {
  const tested = ["README.md", "docs/plugin.md"].flatMap(blocksOf);
  const blocks = blocksOf(INDEX);
  expect(blocks.map(({ language }) => language)).toEqual([
    "typescript",
    "python",
    "yaml",
  ]);
  const codes = tested.map(({ code }) => code);
  for (const { code } of blocks) expect(codes).toContain(code);
});

it("each setting is also on the page of settings", () => {
  const settings = textOf("docs/configuration.md");
  const rows = [
    ...textOf(INSTALLATION).matchAll(/^\| `(devid:\w+)` *\| `(\w+)`/gm),
  ];
  expect(rows).toHaveLength(4);
  for (const [, config = "", variable = ""] of rows)
    expect(settings).toMatch(RegExp(`^- \`${config}\`, \`${variable}\``, "m"));
});
