import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../../provider/src/preview/read-preview";
import { type Form, inForm } from "../../helpers/program-form";

// What the engine printed for one program in both forms. IDs and times are made
// equal, and the steps of resources that do not depend on each other are in the
// order of their names.

const recorded = (form: Form) =>
  JSON.parse(
    readFileSync(join(__dirname, "recorded", `${form}.json`), "utf8"),
  ) as Record<"create" | "update" | "delete", unknown>;
const dynamic = recorded("dynamic");
const plugin = recorded("plugin");

type Json = Record<string, unknown>;

/** What the engine explains in detail only for the plugin, and what only the dynamic provider logs. */
const EXPLANATIONS = ["detailedDiff", "diffReasons", "diagnostics"];

const plain = (text: string): Json =>
  JSON.parse(text, (name, value: unknown) =>
    EXPLANATIONS.includes(name) ? undefined : value,
  ) as Json;

/** The explicit provider of the program is of another type in each form, and has settings of other names. */
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

    it("is in the form of the plugin what the tests make of the dynamic one", () => {
      const made = plain(inForm("plugin", texts.dynamic));
      expect(withoutProvider(made)).toEqual(
        withoutProvider(plain(texts.plugin)),
      );
    });

    it("is read alike in both forms", () => {
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

it("shows what each recorded plan does", () => {
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
