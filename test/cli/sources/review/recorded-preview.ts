import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { inForm, type Form } from "../../../helpers/program-form";

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
  const path = join(__dirname, `../recorded/${name}.yaml`);
  const recorded = JSON.stringify(
    parse(readFileSync(path, "utf8")),
    undefined,
    2,
  );
  const text = Object.entries(values).reduce(
    (all, [placeholder, value]) => all.replaceAll(placeholder, value),
    recorded,
  );
  if (form === "dynamic") return text;
  const { steps, ...rest } = JSON.parse(text) as { steps: { urn: string }[] };
  // The component is a class of the TypeScript package alone.
  const shared = steps.filter(({ urn }) => !urn.includes("RotatingApiKey"));
  return inForm(form, JSON.stringify({ ...rest, steps: shared }));
}
