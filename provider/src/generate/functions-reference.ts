import type { z } from "zod";
import { fieldMeta, fieldsMarked } from "../definition/field";
import { allFunctions, resultTypes } from "./function-modules";
import { declaredDefault, schemaType } from "./schema-type";

/** The overview names at most this many arguments, or else only their number. */
const MOST_NAMED = 5;

/** The table of all data sources, Markdown. */
export function functionsTable(): string {
  const rows = allFunctions().map(
    ({ name, args, result, description, deprecated }) => {
      const names = Object.entries(args.shape).map(([arg, field]) =>
        (field as z.ZodType).safeParse(undefined).success ? `${arg}?` : arg,
      );
      const shown =
        names.length === 0
          ? "none"
          : names.length > MOST_NAMED
            ? `[${names.length}](#${name.toLowerCase()})`
            : names.map((arg) => `\`${arg}\``).join(", ");
      const type = schemaType(result, { isPlain: true }).replace("[]", "");
      const record = resultTypes().get(type);
      const secrets = record ? fieldsMarked(record, "secret") : [];
      const secretNames = secrets.map((field) => `\`${field}\``).join(", ");
      const text = [
        description,
        deprecated ? "Deprecated." : "",
        secretNames && `Secret: ${secretNames}.`,
      ].filter(Boolean);
      return `| \`${name}\` | ${shown} | ${text.join(" ")} |`;
    },
  );
  return `| Data source | Arguments | Answers |
| --- | --- | --- |
${rows.join("\n")}`;
}

/** The reference of all arguments and of all fields of answers, Markdown. */
export function functionsReference(): string {
  const sections = allFunctions().map(
    ({ name, args, result, description, throws, deprecated }) => `### ${name}

${[description, deprecated ?? ""].filter(Boolean).join(" ")} Answers \`${schemaType(result, { isPlain: true })}\`.${throws ? ` Throws ${throws}.` : ""}

${Object.keys(args.shape).length > 0 ? table("Argument", args) : "It takes no arguments."}
`,
  );
  const types = [...resultTypes()].map(
    ([name, schema]) => `### ${name}

${schema.description ?? ""}

${table("Field", schema)}
`,
  );
  return [...sections, ...types].join("\n");
}

function table(what: string, { shape }: z.ZodObject): string {
  const rows = Object.entries(shape).map(([name, value]) => {
    const field = value as z.ZodType;
    const isOptional = field.safeParse(undefined).success;
    const preset = declaredDefault(field);
    const { type, choices } = shownType(field);
    const text = [
      field.description ?? "",
      choices,
      preset === undefined ? "" : `Default: \`${JSON.stringify(preset)}\`.`,
      fieldMeta(field).secret ? "**Secret.**" : "",
    ].filter(Boolean);
    return `| \`${name}${isOptional ? "?" : ""}\` | \`${type.replaceAll("|", "\\|")}\` | ${text.join(" ").replaceAll("|", "\\|")} |`;
  });
  return `| ${what} | Type | What it is |
| --- | --- | --- |
${rows.join("\n")}`;
}

/** Columns. If a type is wider, its values are listed in the description instead. */
const WIDEST_TYPE = 60;

function shownType(field: z.ZodType): { type: string; choices: string } {
  const type = schemaType(field, { isPlain: true }).replaceAll(
    " | (string & Record<never, never>)",
    ", or another text",
  );
  if (type.length <= WIDEST_TYPE) return { type, choices: "" };
  const values = [...type.matchAll(/"([^"]+)"/g)].map(([, value]) => value);
  return {
    type: type.replace(/\(?"[^"]+"( \| "[^"]+")+\)?/, "string"),
    choices: `One of \`${values.join("`, `")}\`.`,
  };
}
