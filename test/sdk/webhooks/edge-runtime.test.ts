import { EdgeVM } from "@edge-runtime/vm";
import { expect, it } from "vitest";
import { bundled, RECEIVE } from "../bundle-for-web";

it("webhooks are verified and parsed in an edge runtime without Node's modules", async () => {
  // A bundle for browsers fails if it needs a module of Node.
  const code = await bundled(`${RECEIVE} globalThis.answer = answer;`);
  const runtime = new EdgeVM();
  runtime.evaluate(`(() => { ${code} })()`);
  expect(await runtime.evaluate("answer")).toEqual({
    id: "1.a",
    problem: "unsigned",
  });
});
