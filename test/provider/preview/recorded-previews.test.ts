import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../../provider/src/preview/read-preview";
import { type Form, inForm } from "../../helpers/program-form";

// What the engine printed for one program in both forms. IDs and times are replaced by equal values, and the
// steps of independent resources are sorted by name.

const recorded = (form: Form) =>
  JSON.parse(
    readFileSync(join(__dirname, "recorded", `${form}.json`), "utf8"),
  ) as Record<"create" | "update" | "delete", unknown>;
const dynamic = recorded("dynamic");
const plugin = recorded("plugin");

type Json = Record<string, unknown>;

/** Details that the engine gives only for the plugin, and lines that only the dynamic provider logs. */
const EXPLANATIONS = ["detailedDiff", "diffReasons", "diagnostics"];

const plain = (text: string): Json =>
  JSON.parse(text, (name, value: unknown) =>
    EXPLANATIONS.includes(name) ? undefined : value,
  ) as Json;

/** The program's explicit provider has another type and other setting names in each form. */
const withoutProvider = ({ steps, ...rest }: Json): Json => ({
  ...rest,
  steps: (steps as { urn: string }[]).filter(
    ({ urn }) => !urn.endsWith("::eu"),
  ),
});

describe.each(["create", "update", "delete"] as const)(
  "the recorded preview of a program: %s",
  (name) => {
    const texts = {
      dynamic: JSON.stringify(dynamic[name]),
      plugin: JSON.stringify(plugin[name]),
    };

    it("in the plugin's form equals the dynamic form after the tests convert it", () => {
      const made = plain(inForm("plugin", texts.dynamic));
      expect(withoutProvider(made)).toEqual(
        withoutProvider(plain(texts.plugin)),
      );
    });

    it("is read as the same resources in both forms", () => {
      const [one, other] = [texts.dynamic, texts.plugin].map((text) =>
        readPreview(text, "preview.json").resources.map(
          ({ name: as, kind, operation, before, after }) => {
            const own = kind !== undefined && { before, after };
            return { as, kind, operation, ...own };
          },
        ),
      );
      expect(plain(inForm("plugin", JSON.stringify(one)))).toEqual(
        plain(JSON.stringify(other)),
      );
    });
  },
);

it("the reader of previews shows what each recorded plan does", () => {
  const shown = (preview: unknown) =>
    readPreview(JSON.stringify(preview), "preview.json").resources.flatMap(
      ({ kind, name, operation }) =>
        kind === "FilteringRuleSet" ? [[name, operation]] : [],
    );
  for (const form of [dynamic, plugin]) {
    expect(shown(form.create)).toEqual([
      ["file", "create"],
      ["hidden", "create"],
      ["rules", "create"],
    ]);
    expect(shown(form.update)).toEqual([
      ["file", "update"],
      ["rules", "update"],
    ]);
    expect(shown(form.delete)).toEqual([
      ["file", "delete"],
      ["rules", "delete"],
    ]);
  }
});
