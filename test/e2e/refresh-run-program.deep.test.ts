import { describe, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { pluginProject } from "../helpers/form-stack";
import { openForTest, openForTests } from "../helpers/open-for-tests";
import { LocalWorkspace } from "../helpers/local-workspace";
import { FORMS, type Form } from "../helpers/program-form";

const workspace = openForTests(new LocalWorkspace());

/** README's program, and a resource that uses a token of another. */
const PROGRAM = (form: Form) => `
import * as devid from "@devid/pulumi${form === "plugin" ? "/plugin" : ""}";

const key = new devid.ApiKey("${form}", { name: "Key ${form}", type: "secret" });
export const token = key.token;
new devid.Environment("reader", {
  name: "Reader ${form}",
  description: key.token.apply((text) => \`\${text.length} characters\`),
});
`;

describe.each(FORMS)("a program over the %s form", (form) => {
  it("is run by a refresh and a destroy while the state lacks a resource whose output it uses", async () => {
    const stack = await openForTest(
      EngineStack.open(workspace.env, {
        "Pulumi.yaml": pluginProject("refreshed", "nodejs"),
        "index.ts": PROGRAM(form),
        "package.json": JSON.stringify({ name: "refreshed", private: true }),
      }),
    );
    const before = await workspace.list("api-keys");
    // The key was just added to the program.
    await stack.refresh("--run-program");
    expect(await workspace.list("api-keys")).toEqual(before);
    await stack.up();
    expect(await stack.outputs()).toEqual({ token: "[secret]" });
    // Somebody deleted the key.
    const keys = await workspace.list("api-keys");
    const id = String(keys.find(({ name }) => name === `Key ${form}`)?.id);
    await workspace.call("DELETE", `/api-keys/${id}`);
    await stack.refresh("--run-program");
    expect(await stack.exported()).not.toContain(id);
    await stack.up();
    // Half of the stack is destroyed.
    await stack.destroy("--target", stack.urn(form), "--target-dependents");
    await stack.destroy("--run-program");
    expect(stack.resources()).toEqual([]);
  });
});
