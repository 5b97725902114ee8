import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { openApi } from "../documented.js";

it("the OpenAPI document is valid, so that clients can be generated from it", async () => {
  // The package is an ES module, and the tests are CommonJS.
  const { Validator } = await import("@seriousme/openapi-schema-validator");
  const document = await openApi();
  const { valid, errors } = await new Validator().validate({ ...document });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it("every schema in the OpenAPI document is valid JSON Schema", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const problems = schemasIn(await openApi()).flatMap((schema) =>
    ajv.validateSchema(schema) ? [] : [[schema, ajv.errorsText(ajv.errors)]],
  );
  expect(problems).toEqual([]);
});

const operations = async () =>
  Object.values((await openApi()).paths).flatMap((path) => Object.values(path));

// contract: management-72
it("the list of API keys and everything of version 3 are marked as deprecated", async () => {
  const marked = (await operations()).filter(({ deprecated }) => deprecated);
  const paths = Object.entries((await openApi()).paths);
  const legacy = paths
    .filter(([path]) => /^\/\{region\}\/(?!v4|web)/.test(path))
    .flatMap(([, path]) => Object.values(path));
  expect(legacy.length).toBeGreaterThanOrEqual(4);
  expect(new Set(marked.map(({ operationId }) => operationId))).toEqual(
    new Set(["listApiKeys", ...legacy.map(({ operationId }) => operationId)]),
  );
});

// contract: events-38
it("every operation documents 500; reading and searching events also document 504", async () => {
  const all = await operations();
  expect(all.filter(({ responses }) => !responses["500"])).toEqual([]);
  const timeouts = all.filter(({ responses }) => responses["504"]);
  expect(timeouts.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(["getEvent", "searchEvents"]),
  );
});

/** The values of every property `schema`, which the validator does not check. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === "schema" && typeof member === "object" && member !== null
      ? [member]
      : schemasIn(member),
  );
}
