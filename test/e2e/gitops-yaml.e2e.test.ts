import { describe } from "vitest";
import { STORY } from "../helpers/gitops-program";

// The same story with the program of docs/review.md: YAML over the plugin. It has
// the situations in which the form matters.

STORY.form = "plugin";

describe("in YAML over the plugin", async () => {
  await import("./gitops.e2e.test.js");
});
