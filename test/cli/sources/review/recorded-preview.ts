import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Form } from "../../../helpers/program-form";

/** Previews that test/e2e/recorded-previews.e2e.test.ts compares with those of the engine. */
export type Recorded = "first" | "touched";

/**
 * A recorded preview of a real engine, with addresses and IDs of environments
 * replaced by those of the services of a test: `{ "https://eu.service.invalid": eu.url }`.
 */
export function recordedPreview(
  name: Recorded,
  form: Form,
  values: Readonly<Record<string, string>> = {},
): string {
  const path = join(__dirname, `../recorded/${name}-${form}.json`);
  return Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    readFileSync(path, "utf8"),
  );
}
