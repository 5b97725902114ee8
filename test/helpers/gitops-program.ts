import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { PLUGIN } from "./form-stack";
import { textOf } from "./repository";

/**
 * Puts the YAML program of docs/review.md in place of the one in a copy of
 * examples/gitops.
 */
export function writeYamlProgram(folder: string): void {
  const page = textOf("docs/review.md");
  const [, text] = /```yaml\n(name: devid-gitops\n[^]*?)```/.exec(page) ?? [];
  if (text === undefined) throw new Error("The page has no such program.");
  const providers = [{ name: "devid", path: PLUGIN }];
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    stringify({ ...(parse(text) as object), plugins: { providers } }),
  );
  for (const file of ["index.ts", "tsconfig.json"])
    rmSync(join(folder, file), { force: true });
}
