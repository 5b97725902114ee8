import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { startService } from "@devid/service";
import type { Answer } from "./answer.js";

interface Content {
  readonly content?: Record<string, { readonly schema: object }>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}

/** The parts of an OpenAPI document that tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<object, ValidateFunction>();
let document: Promise<OpenApi> | undefined;

/**
 * The OpenAPI document of a service without a keys file. It is read from a service of its
 * own: in the service of a test, a fault could change it, and the request log would have
 * the request for it.
 */
export function openApi(): Promise<OpenApi> {
  return (document ??= readOpenApi());
}

async function readOpenApi(): Promise<OpenApi> {
  const service = await startService({ port: 0, logLevel: "silent" });
  try {
    const response = await fetch(`${service.url}/openapi.json`);
    return (await response.json()) as OpenApi;
  } finally {
    await service.close();
  }
}

/**
 * Fails unless the service's OpenAPI document allows this answer, and also the request
 * if it was accepted.
 */
export async function assertDocumented(
  url: URL,
  method: string,
  body: unknown,
  answer: Answer,
): Promise<void> {
  const { paths } = await openApi();
  const [, operations] =
    Object.entries(paths)
      .sort(([a], [b]) => a.split("{").length - b.split("{").length)
      .find(([path]) => pattern(path).test(url.pathname)) ?? [];
  const operation = operations?.[method.toLowerCase()];
  const name = `${method} ${url.pathname}`;
  if (!operation) {
    if (![401, 403, 404, 405, 429].includes(answer.status))
      throw new Error(`${name} is served and not documented.`);
    return conform(
      errorSchema(paths),
      answer.body,
      `${answer.status} of ${name}`,
    );
  }
  const response = operation.responses[answer.status];
  if (!response)
    throw new Error(`${answer.status} of ${name} is not documented.`);
  const { status, text } = answer;
  const schema = response.content?.["application/json"]?.schema;
  if (schema || text !== "")
    conform(schema, answer.body, `${status} of ${name}`);
  const request = operation.requestBody?.content?.["application/json"]?.schema;
  if (status < 300 && request) conform(request, body, `the request of ${name}`);
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
}

function errorSchema(paths: OpenApi["paths"]): object | undefined {
  return paths["/management/hello"]?.["get"]?.responses["401"]?.content?.[
    "application/json"
  ]?.schema;
}

function conform(
  schema: object | undefined,
  value: unknown,
  what: string,
): void {
  if (!schema) throw new Error(`No schema for ${what}.`);
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  if (!validate(value))
    throw new Error(
      `${what} is not as documented: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`,
    );
}
