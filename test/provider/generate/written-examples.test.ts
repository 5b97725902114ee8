import { expect, it } from "vitest";
import { neutralExample } from "../../../provider/src/generate/neutral-example";
import { writtenExamples } from "../../../provider/src/generate/written-examples";
import * as registry from "../../../provider/src/registry";

it("examples in Go, C# and Java match the examples of the resources (if not: npm run gen:examples)", () => {
  const written = writtenExamples();
  expect(Object.keys(written).sort()).toEqual(Object.keys(registry).sort());
  for (const definition of Object.values(registry))
    expect(written[definition.kind]?.neutral).toBe(neutralExample(definition));
});

it("a text of an example is not used as a template", () => {
  const { Webhook } = registry;
  const example = {
    ...Webhook.example,
    inputs: { url: "https://a.example/${b}" },
  };
  expect(neutralExample({ ...Webhook, example })).toContain(
    'url = "https://a.example/$${b}"',
  );
});
