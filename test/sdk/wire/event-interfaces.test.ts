import { EventRecord } from "@devid/sdk/wire/events";
import ts from "typescript";
import { expect, it } from "vitest";
import { z } from "zod";
import { textOf } from "../../helpers/repository";

/**
 * The form of a value: the name of a plain type, the known values, the form of an
 * array's elements, or the members of an object. The name of an optional member ends in
 * `?`.
 */
type Form = string | readonly unknown[] | { readonly [member: string]: Form };

const CONTRACT = textOf("docs/contract.md");
const [, block = ""] = /^(interface Event .*?)```/ms.exec(CONTRACT) ?? [];
/** The values of a filter with the same name in docs/contract.md. */
const [, categories = ""] =
  /^- `bot_info_category`: (.*?)\. The/m.exec(CONTRACT) ?? [];
const listed = block.replace(
  "category: string;",
  `category: ${categories.replaceAll("`", '"').replaceAll(", ", " | ")};`,
);
const declared = new Map(
  ts
    .createSourceFile("contract.ts", listed, ts.ScriptTarget.Latest, true)
    .statements.filter(
      (node) =>
        ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
    )
    .map((node) => [node.name.text, node]),
);

/** The form that docs/contract.md declares. */
function formOfDeclared(name: string): Form {
  const node = declared.get(name);
  if (!node) throw new Error(`docs/contract.md declares no ${name}.`);
  return ts.isInterfaceDeclaration(node)
    ? formOfMembers(node.members)
    : formOfType(node.type);
}

function formOfMembers(members: readonly ts.TypeElement[]): Form {
  return Object.fromEntries(
    members.filter(ts.isPropertySignature).map((member) => {
      const name = (member.name as ts.Identifier | ts.StringLiteral).text;
      if (!member.type) throw new Error(`${name} has no type.`);
      const optional = member.questionToken ? "?" : "";
      return [name + optional, formOfType(member.type)];
    }),
  );
}

function formOfType(type: ts.TypeNode): Form {
  if (ts.isParenthesizedTypeNode(type)) return formOfType(type.type);
  if (ts.isTypeLiteralNode(type)) return formOfMembers(type.members);
  if (ts.isArrayTypeNode(type)) return [formOfType(type.elementType)];
  if (ts.isTupleTypeNode(type)) return type.elements.slice(0, 1).map(formOf);
  // The variants of an object. A member of only one variant is optional.
  if (ts.isIntersectionTypeNode(type) || hasObjects(type))
    return Object.assign({}, ...type.types.map(formOfType)) as Form;
  if (ts.isUnionTypeNode(type)) return known(type.types.map(sourceOf));
  if (!ts.isTypeReferenceNode(type)) return known([sourceOf(type)]);
  const [first, second] = type.typeArguments ?? [];
  const name = sourceOf(type.typeName);
  if (name === "Partial" && first && ts.isTypeReferenceNode(first)) {
    const [keys, value] = first.typeArguments ?? [];
    if (!keys || !value || !ts.isUnionTypeNode(keys)) throw new Error(name);
    const names = keys.types.map((key) => String(JSON.parse(sourceOf(key))));
    return Object.fromEntries(
      names.map((key) => [`${key}?`, formOfType(value)]),
    );
  }
  expect(second).toBeUndefined();
  return formOfDeclared(name);
}

const formOf = (node: ts.Node) => formOfType(node as ts.TypeNode);
const sourceOf = (node: ts.Node) => node.getText();
const hasObjects = (type: ts.TypeNode): type is ts.UnionTypeNode =>
  ts.isUnionTypeNode(type) && type.types.some(ts.isTypeLiteralNode);

/** A plain type, or sorted values. */
function known(values: readonly string[]): Form {
  if (values.length === 1 && values[0]?.match(/^[a-z]+$/)) return values[0];
  return values.map((value) => JSON.parse(value) as unknown).sort();
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
}

/** The form that a schema accepts, without null, which any past event may contain. */
function formOfSchema(schema: JsonSchema): Form {
  const some = schema.anyOf?.filter(({ type }) => type !== "null");
  // The known values of an open enumeration.
  const [one] = some ?? [];
  if (one) return formOfSchema({ ...schema, anyOf: undefined, ...one });
  const values = schema.enum ?? schema.examples;
  if (values) return [...values].sort();
  if (schema.items) return [formOfSchema(schema.items)];
  const { type, properties, required = [] } = schema;
  if (!properties) {
    const [plain] = [type].flat();
    return plain === "integer" ? "number" : (plain ?? JSON.stringify(schema));
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      required.includes(name) ? name : `${name}?`,
      formOfSchema(member),
    ]),
  );
}

/** The schema at a path of members; `[]` is an element of an array. */
function formAt(path: string): Form {
  const whole = formOfSchema(
    z.toJSONSchema(EventRecord, { reused: "inline" }) as JsonSchema,
  );
  return path
    .split(".")
    .filter(Boolean)
    .reduce<Form>((form, name) => {
      if (name === "[]") return (form as Form[])[0] ?? "no array";
      const members = form as Record<string, Form>;
      return members[`${name}?`] ?? members[name] ?? `no ${name}`;
    }, whole);
}

it.each([
  // contract: events-106, events-107
  ["Event", ""],
  // contract: events-108
  ["Level", "vpn_confidence"],
  // contract: events-109
  ["Integration", "sdk.integrations.[]"],
  // contract: events-110
  ["Identification", "identification"],
  // contract: events-111
  ["IpInfo", "ip_info.v4"],
  // contract: events-112
  ["Velocity", "velocity.events"],
  // contract: events-113
  ["RuleAction", "rule_action"],
  // contract: events-114
  ["Header", "rule_action.headers.[]"],
  // contract: events-115
  ["RawDeviceAttributes", "raw_device_attributes"],
])(
  "the schema of an event agrees with %s of docs/contract.md, at %j",
  (name, path) => {
    expect(formAt(path)).toEqual(formOfDeclared(name));
  },
);
