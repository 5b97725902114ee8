import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const SOURCES = join(__dirname, "../../sdk/src");

/**
 * The public methods of the single class in a file, and whether each is marked as
 * deprecated.
 */
function methodsIn(path: string): Record<string, boolean> {
  const text = readFileSync(join(SOURCES, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const methods = file.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isMethodDeclaration));
  return Object.fromEntries(
    methods.map((method) => [
      method.name.getText(file),
      ts.getJSDocDeprecatedTag(method) !== undefined,
    ]),
  );
}

it("the list of API keys is deprecated, so editors strike it out", () => {
  expect(methodsIn("management/api-keys.ts")).toEqual({
    list: true,
    listAll: true,
    get: false,
    create: false,
    update: false,
    delete: false,
  });
});

it("everything of version 3 is deprecated, so editors strike it out", () => {
  const methods = methodsIn("server-api/legacy-events.ts");
  expect(Object.keys(methods)).toEqual(
    expect.arrayContaining(["get", "update", "search", "visitor"]),
  );
  expect(Object.values(methods)).not.toContain(false);
});
