import { z } from "zod";
import { definePolicy, takeNotes } from "../define-policy";

/** Shows, as advice, what the other policies could not check, and why. */
export const notChecked = definePolicy({
  name: "not-checked",
  description: "What another policy of this pack could not check.",
  enforcementLevel: "advisory",
  config: z.strictObject({}),
  appliesTo: () => true,
  check({ resource, report }) {
    for (const note of takeNotes(resource.urn)) report.violation(note);
  },
});
