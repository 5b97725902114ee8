import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Form } from "../../../helpers/program-form";

/** The previews that test/e2e/recorded-previews.forms.e2e.test.ts compares with the engine's. */
export type Recorded = "first" | "touched";

/**
 * A recorded preview of a real engine. Addresses and environment IDs are replaced by those of a
 * test's services: `{ "https://eu.service.invalid": eu.url }`.
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
