import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { callFunction } from "../../../provider/src/definition/define-function";
import * as functions from "../../../provider/src/functions";
import type { Properties } from "../../simulation/engine/property-value";
import { FULL_INPUTS, KINDS, LEAST_INPUTS } from "../kind-rows";
import { silentClient } from "../local-client";
import { lifecycleOf } from "../lifecycle-of";

/** What the languages make of an Output in a text. */
const TEXTS = [
  // oxlint-disable-next-line typescript/restrict-template-expressions, typescript/no-base-to-string
  `https://hooks.example/${pulumi.output("x")}`,
  JSON.stringify({ for: pulumi.output("x") }),
  // Of pulumi/output.py.
  `https://hooks.example/Calling __str__ on an Output[T] is not supported.

To get the value of an Output[T] as an Output[str] consider:`,
];

const URL_OF_OUTPUT = new URL(TEXTS[0] ?? "");

/** The same text after functions of the program. */
const CHANGED_TEXTS = [
  URL_OF_OUTPUT.toString(),
  encodeURIComponent(URL_OF_OUTPUT.toString()),
  `https://hooks.example/?${new URLSearchParams({ id: TEXTS[0] ?? "" })}`,
  ...TEXTS.flatMap((text) => [
    encodeURIComponent(text),
    text.toLowerCase(),
    text.toUpperCase(),
  ]),
];

/** The value with one of its texts replaced, for each of them, with the path of that text. */
function* replacements(
  value: unknown,
  text: string,
  path = "",
): Generator<readonly [path: string, value: unknown]> {
  if (typeof value === "string") yield [path, text];
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const inner = isList ? `${path}[${name}]` : path ? `${path}.${name}` : name;
    for (const [at, replaced] of replacements(member, text, inner))
      yield [
        at,
        isList
          ? value.with(Number(name), replaced)
          : { ...value, [name]: replaced },
      ];
  }
}

describe.each(KINDS)("%s", (kind) => {
  it("refuses the text of an Output in every input, and says what to write", async () => {
    for (const text of [...TEXTS, ...CHANGED_TEXTS])
      for (const [path, news] of replacements(FULL_INPUTS[kind], text)) {
        const checked = await lifecycleOf(kind).check({
          news: news as Properties,
          olds: {},
        });
        expect(checked.failures, path).toEqual([
          {
            property: path,
            reason: expect.stringContaining("pulumi.interpolate") as string,
          },
        ]);
      }
  });
});

it("a data source refuses it, too, and sends nothing", async () => {
  for (const text of TEXTS)
    await expect(
      callFunction(functions.getEvent, {
        client: silentClient(),
        args: { eventId: text },
        signal: new AbortController().signal,
      }),
    ).rejects.toSay("lookup/an-output-in-a-text");
});

const BLANK = "must have no blank and no line break";

it.each([
  ["https://hooks.example/a b", BLANK],
  ["https://hooks.example/a\u00a0b", BLANK],
  ["https://hooks.example/<id>", "must have no < or >"],
  ["https://hooks.example/a\nb", BLANK],
  ["https://hooks.example/a\r\n", BLANK],
  ["\thttps://hooks.example/a", BLANK],
  ["https://hooks.example\t/a", BLANK],
])("the address %j is refused", async (url, reason) => {
  for (const kind of KINDS.filter((one) => "url" in FULL_INPUTS[one])) {
    const news = { ...LEAST_INPUTS[kind], url };
    const { failures } = await lifecycleOf(kind).check({ news, olds: {} });
    expect(failures).toEqual([{ property: "url", reason }]);
  }
});
