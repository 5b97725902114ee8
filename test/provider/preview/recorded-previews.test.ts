import { expect, it } from "vitest";
import { readPreview } from "../../../provider/src/preview/read-preview";
import { recordedPreview } from "../../cli/sources/review/recorded-preview";
import { inForm } from "../../helpers/program-form";

// What the engine prints for one program in both forms: test/e2e/recorded-previews.forms.e2e.test.ts.

/** A component and its keys, which the plugin does not have. */
const ONLY_DYNAMIC = /RotatingApiKey/;
/** An explicit provider has other setting names in each form, and only one program has outputs. */
const OF_PULUMI = /^pulumi:/;
/** IDs, of which one form has more than the other. */
const NUMBERED =
  /\b[a-z]{2,3}_\d+\b|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

it.each(["first", "touched"] as const)(
  "the dynamic form of a preview, after the tests convert it, is the plugin's: %s",
  (name) => {
    const [converted, printed] = [
      inForm("plugin", recordedPreview(name, "dynamic")),
      recordedPreview(name, "plugin"),
    ].map((text) => {
      const { resources } = readPreview(
        // The programs of these previews name no version of the plugin.
        text.replaceAll("default_0_1_0", "default").replaceAll(NUMBERED, "ID"),
        "preview.json",
      );
      return resources
        .filter(
          ({ urn, type }) => !ONLY_DYNAMIC.test(urn) && !OF_PULUMI.test(type),
        )
        .map(({ urn, operation, before, after }) => ({
          ...{ urn, operation, provider: [before?.provider, after?.provider] },
          ...{ before: before?.inputs, outputs: before?.outputs },
          after: after?.inputs,
        }))
        .toSorted((a, b) => a.urn.localeCompare(b.urn));
    });
    expect(converted).toEqual(printed);
    expect(converted?.length).toBeGreaterThan(8);
  },
);
