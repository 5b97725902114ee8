import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { openApi } from "../documented.js";
import { LocalService } from "../local-service.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalService());

it("the OpenAPI document is valid, so that clients can be generated from it", async () => {
  // The package is an ES module, and the tests are CommonJS.
  const { Validator } = await import("@seriousme/openapi-schema-validator");
  const document = await openApi(local.service.url);
  const { valid, errors } = await new Validator().validate({ ...document });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it("every schema in the OpenAPI document is valid JSON Schema", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const problems = schemasIn(await openApi(local.service.url)).flatMap(
    (schema) =>
      ajv.validateSchema(schema) ? [] : [[schema, ajv.errorsText(ajv.errors)]],
  );
  expect(problems).toEqual([]);
});

/** The values of every property `schema`, which the validator leaves unchecked. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === "schema" && typeof member === "object" && member !== null
      ? [member]
      : schemasIn(member),
  );
}
