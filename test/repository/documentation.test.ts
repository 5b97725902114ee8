import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { FILES } from "../helpers/sources";
import { ROOT, textOf } from "../helpers/repository";

const pages = FILES.filter(
  (path) => path.endsWith(".md") && !path.startsWith("test/golden/"),
);

/** The anchor of a heading on code hosts. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (path: string) =>
  new Set(
    [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      anchorOf(heading),
    ),
  );

it("every link between pages leads to an existing file and heading", () => {
  const broken: string[] = [];
  for (const page of pages)
    for (const [, link = ""] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file = "", anchor] = link.split("#");
      const path = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(ROOT, path))) broken.push(`${page}: ${link}`);
      else if (anchor !== undefined && !anchorsOf(path).has(anchor))
        broken.push(`${page}: ${link}`);
    }
  expect(broken).toEqual([]);
});

/** Files that pages name and that a run creates: the report of an export. */
const MADE = ["REPORT.md"];

it("every file that a page names exists", () => {
  const folders = new Set(FILES.map((path) => path.split("/")[0]));
  const lost: string[] = [];
  for (const page of pages)
    for (const [, name = ""] of textOf(page)
      .replaceAll(/^```[^]*?^```/gm, "")
      .matchAll(/`([\w.@/-]+)`/g)) {
      const isPath = /^[A-Z_]+\.md$|\//.test(name);
      const [top = ""] = name.split("/");
      if (!isPath || MADE.includes(name)) continue;
      if (name.includes("/") && !folders.has(top)) continue;
      // Tables of tests name files relative to the folder of the tests.
      if (![name, `test/${name}`].some((path) => existsSync(join(ROOT, path))))
        lost.push(`${page}: ${name}`);
    }
  expect(lost).toEqual([]);
});

it("every code fence is closed, and no line of a block looks like a fence", () => {
  const wrong: string[] = [];
  for (const page of pages) {
    let open: string | undefined;
    for (const [n, line] of textOf(page).split("\n").entries()) {
      const [, fence, info = ""] = /^[ +-]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (fence === undefined) continue;
      if (open === undefined) open = fence;
      else if (line.trim() === open && info === "") open = undefined;
      else wrong.push(`${page}:${n + 1}: ${line}`);
    }
    if (open !== undefined) wrong.push(`${page}: a fence stays open`);
  }
  expect(wrong).toEqual([]);
});

it("the index of the documentation names every page", () => {
  const index = textOf("docs/README.md");
  const missing = pages.filter(
    (page) =>
      /^docs\/[^/]+\.md$/.test(page) &&
      page !== "docs/README.md" &&
      !index.includes(`(${page.slice("docs/".length)})`),
  );
  expect(missing).toEqual([]);
});

it("no page ends with an announcement", () => {
  expect(pages.filter((page) => textOf(page).trim().endsWith(":"))).toEqual([]);
});
