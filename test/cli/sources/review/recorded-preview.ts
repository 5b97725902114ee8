import { join } from "node:path";
import { inForm, type Form } from "../../../helpers/program-form";
import { readRecorded, type Preview } from "../../../helpers/recorded-preview";

/** The previews that test/e2e/recorded-previews.forms.e2e.test.ts compares with the engine's. */
export type Recorded = "first" | "touched";

export const pathOf = (name: Recorded) =>
  join(__dirname, `../recorded/${name}.yaml`);

/**
 * A recorded preview of a real engine. Addresses and environment IDs are replaced by those of a
 * test's services: `{ "https://eu.service.invalid": eu.url }`.
 */
export function recordedPreview(
  name: Recorded,
  form: Form,
  values: Readonly<Record<string, string>> = {},
): string {
  const recorded = JSON.stringify(readRecorded(pathOf(name)), undefined, 2);
  // In one pass: an ID is random, and may begin as the placeholder of another.
  const text = recorded.replace(
    new RegExp(Object.keys(values).join("|") || "$^", "g"),
    (placeholder) => values[placeholder] ?? placeholder,
  );
  if (form === "dynamic") return text;
  const { steps, ...rest } = JSON.parse(text) as Preview;
  // The component is a class of the TypeScript package alone.
  const shared = steps.filter(({ urn }) => !urn.includes("RotatingApiKey"));
  return inForm(form, JSON.stringify({ ...rest, steps: shared }));
}
