import { readFileSync } from "node:fs";
import { format } from "oxfmt";

const { ignorePatterns: _, ...OPTIONS } = JSON.parse(
  readFileSync(new URL("../../.oxfmtrc.json", import.meta.url), "utf8"),
);

/** A file's text as `npm run format` writes it. */
export async function formatted(path, text) {
  const { code, errors } = await format(path, text, OPTIONS);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}
