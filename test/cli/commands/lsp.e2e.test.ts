import { cellsOf } from "../../helpers/cells-of";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CodeActionRequest,
  CompletionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type CodeActionContext,
  type CompletionItem,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextEdit,
} from "vscode-languageserver-protocol/node";
import { DevidProcess } from "../devid-process";

let devid: DevidProcess;
let connection: ProtocolConnection;

/** Callbacks that wait for diagnostics. */
const waiting = new Set<(params: PublishDiagnosticsParams) => void>();

beforeAll(async () => {
  devid = DevidProcess.start(["lsp"], {}, "pipe");
  const { stdin, stdout } = devid.child;
  if (!stdin || !stdout) throw new Error("there are no pipes");
  connection = createProtocolConnection(
    new StreamMessageReader(stdout),
    new StreamMessageWriter(stdin),
  );
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    for (const one of waiting) one(params);
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  await connection.sendNotification(InitializedNotification.type, {});
});

afterAll(async () => {
  await connection.sendRequest(ShutdownRequest.type);
  await connection.sendNotification(ExitNotification.type);
  expect(await devid.ended()).toBe(0);
  connection.dispose();
});

/** The next diagnostics of a document. */
function diagnostics(uri: string): Promise<Diagnostic[]> {
  return new Promise((resolve) => {
    const look = (params: PublishDiagnosticsParams) => {
      if (params.uri !== uri) return;
      waiting.delete(look);
      resolve(params.diagnostics);
    };
    waiting.add(look);
  });
}

let opened = 0;

/** Opens a document. @returns its address, and the findings of a whole check */
async function open(text: string) {
  const uri = `file:///rules-${++opened}.yaml`;
  const found = diagnostics(uri);
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  return { uri, found: await found };
}

/** The range of a text within another text. */
function at(text: string, part: string, from = 0) {
  const offset = text.indexOf(part, from);
  if (offset < 0) throw new Error(`${part} is not there`);
  const place = (end: number): Position => {
    const lines = text.slice(0, end).split("\n");
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  };
  return { start: place(offset), end: place(offset + part.length) };
}

async function change(uri: string, text: string, part: string, by: string) {
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: ++version },
    contentChanges: [{ range: at(text, part), text: by }],
  });
  return text.replace(part, () => by);
}

let version = 1;

/** What is offered at the end of a part of a document. */
const offered = async (uri: string, text: string, part: string) =>
  (await connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri },
    position: at(text, part).end,
  })) as CompletionItem[];

/** The actions for a range of lines. */
const actionsIn = async (
  uri: string,
  lines: number,
  context: CodeActionContext,
) =>
  (await connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: {
      start: { line: 0, character: 0 },
      end: { line: lines, character: 0 },
    },
    context,
  })) as CodeAction[];

/** A text after edits of the protocol. */
function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split("\n");
  const offset = ({ line, character }: Position) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character);
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (result, { range, newText }) =>
        result.slice(0, offset(range.start)) +
        newText +
        result.slice(offset(range.end)),
      text,
    );
}

const FILE = `rules:
  - name: "😀 old" # 😀
    expression: sdk.version matches 'beta'
    action: deny
  - name: shop
    expression: "any(http.request.headers['Origin'], # == 'shop.example')"
    action: deny
  - name: browsers
    expression: sdk.platform.name  ==  'js'
    action: allow
tests:
  - name: shop stays out
    request: { headers: { Origin: ["shop.example"] } }
    expect: { deny: shop }
  - name: apps get in
    request: { headers: {}, sdkPlatform: js }
    expect: { allow: browsers }
`;

describe("devid lsp", () => {
  it("shows the findings of a file", async () => {
    const { found } = await open(FILE);
    expect(
      found.map(({ code, source, range }) => [code, source, range]),
    ).toEqual([
      ["plain-regex", "devid", at(FILE, "sdk.version matches 'beta'")],
      ["never-sent", "devid", at(FILE, "'shop.example'")],
      expect.arrayContaining(["changes-nothing"]),
    ]);
  });

  it("says of a file that is too large that it is not checked", async () => {
    const { found } = await open(`rules: []\n${"# 4\n".repeat(1 << 20)}`);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain("at most 4194304 are allowed");
  });

  it("shows the findings of a file in braces", async () => {
    const rule = "name: a, expression: sdk.version matches 'b', action: deny";
    const { found } = await open(`{ rules: [{ ${rule} }] }`);
    expect(found.map(({ code }) => code)).toEqual(["plain-regex"]);
  });

  it("shows a thousand findings of one line within seconds", async () => {
    const rules = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ name: `😀${n}`.padEnd(100, "x"), action: "deny" },
      expression: "http.nothing",
    }));
    const text = JSON.stringify({ rules });
    const { found } = await open(text);
    const places = found
      .filter(({ code }) => code === "invalid-expression")
      .map(({ range }) => range);
    expect(places).toHaveLength(1_000);
    const last = at(text, "nothing", text.lastIndexOf("nothing"));
    expect(places.at(-1)).toEqual(last);
  }, 15_000);

  it("answers nothing for a file without rules at its top", async () => {
    const workflow =
      "jobs:\n  check:\n    rules: [a]\n    steps:\n      - run: x\n";
    expect((await open(workflow)).found).toEqual([]);
  });

  it("checks the file again after an edit", async () => {
    const { uri } = await open(FILE);
    const next = diagnostics(uri);
    const text = await change(
      uri,
      FILE,
      "matches 'beta'",
      "mtches\n      'beta'",
    );
    const found = await next;
    expect(found.map(({ code }) => code)).toEqual([
      "invalid-expression",
      "never-sent",
      "changes-nothing",
    ]);
    expect(found[1]?.range).toEqual(at(text, "'shop.example'"));
  });

  it("offers fixes as code actions that name their edits", async () => {
    const { uri, found } = await open(FILE);
    const actions = await actionsIn(uri, 20, { diagnostics: found });
    expect(
      actions.map(({ title, isPreferred }) => [title, isPreferred]),
    ).toEqual([
      ["write sdk.version contains 'beta' (keeps the meaning)", true],
      [
        "write 'https://shop.example' (denies more requests, lets more requests through)",
        false,
      ],
    ]);
    const text = edited(FILE, actions[0]?.edit?.changes?.[uri] ?? []);
    expect(text).toBe(FILE.replace("matches 'beta'", "contains 'beta'"));
  });

  it("applies all fixes that keep the meaning, as an editor does on save", async () => {
    const mapped = "http.request.ip in cidr('::ffff:203.0.113.0/120')";
    const before = FILE.replace("sdk.platform.name  ==  'js'", mapped);
    const { uri } = await open(FILE);
    // An editor asks as it saves, when the edit is not checked yet.
    await change(uri, FILE, "sdk.platform.name  ==  'js'", mapped);
    const [[action, ...others], atCursor] = await Promise.all([
      actionsIn(uri, 0, { diagnostics: [], only: ["source.fixAll"] }),
      // It asks for its light bulb meanwhile.
      actionsIn(uri, 2, { diagnostics: [] }),
    ] as const);
    expect([others.length, atCursor.length]).toEqual([0, 1]);
    expect(action?.kind).toBe("source.fixAll");
    expect(edited(before, action?.edit?.changes?.[uri] ?? [])).toBe(
      before
        .replace("matches 'beta'", "contains 'beta'")
        .replace("'::ffff:203.0.113.0/120'", "'203.0.113.0/24'"),
    );
  });

  /** What is written, its end, what is offered, and a word of its description. */
  const OFFERED = `
sdk.ver | sdk.ver | sdk.version | version of the agent
any(http.request.headers['Sec-Fe']) | 'Sec-Fe | Sec-Fetch-Site | site
any(http.request.headers['Sec-Fetch-Site'], # == 'cr') | 'cr | cross-site
sdk.platform.name == 'an' | 'an | android
sdk.version starts | version starts | startsWith | begins
ci | expression: ci | cidr | network
`;

  it.each(cellsOf(OFFERED))("completes %s", async (...row) => {
    const [expression = "", part = "", label, documented = ""] = row;
    const written = expression.includes("#") ? `"${expression}"` : expression;
    const text = FILE.replace("sdk.version matches 'beta'", () => written);
    const items = await offered((await open(text)).uri, text, part);
    const item = items.find((one) => one.label === label);
    expect(item).toBeDefined();
    expect(JSON.stringify(item?.documentation ?? "")).toContain(documented);
    const { newText = "" } = (item?.textEdit ?? {}) as TextEdit;
    expect(edited(text, [item?.textEdit as TextEdit])).toContain(newText);
    expect(edited(text, [item?.textEdit as TextEdit])).not.toContain(
      `${part}${newText}`,
    );
  });

  it("completes actions, and completes names of rules in tests", async () => {
    const { uri } = await open(FILE);
    const labels = async (part: string) =>
      (await offered(uri, FILE, part)).map(({ label }) => label);
    expect(await labels("action: d")).toEqual(["allow", "deny"]);
    expect(await labels("{ deny: sh")).toContain("browsers");
  });

  it("describes a field, a function or a header on hover", async () => {
    const { uri } = await open(FILE);
    const hover = async (part: string) =>
      JSON.stringify(
        await connection.sendRequest(HoverRequest.type, {
          textDocument: { uri },
          position: at(FILE, part).end,
        }),
      );
    expect(await hover("sdk.vers")).toContain("**sdk.version** (string)");
    expect(await hover("matc")).toContain("**matches**");
    expect(await hover('"an')).toContain("any(list, condition)");
    expect(await hover("['Orig")).toContain("**Origin** (header)");
    expect(await hover("action: de")).toBe("null");
  });

  it.each([
    ["a document", FILE, FILE.replace("name  ==  'js'", "name == 'js'")],
    [
      "an expression that YAML cannot read",
      "rules:\n  - name: a\n    expression: ! sdk.platform.is_ios\n    action: deny\n",
      "rules:\n  - name: a\n    expression: |-\n      !sdk.platform.is_ios\n    action: deny\n",
    ],
  ])("formats %s", async (_, text, formatted) => {
    const { uri } = await open(text);
    const edits = await connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edited(text, edits ?? [])).toBe(formatted);
  });
});
