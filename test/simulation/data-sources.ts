import { createClient, optionsFromEnvironment } from "@devid/sdk";
import {
  callFunction,
  type FunctionDefinition,
} from "../../provider/src/definition/define-function";
import { settingSources } from "../../provider/src/definition/setting-sources";
import * as functions from "../../provider/src/functions";
import { redactArguments } from "../../provider/src/program/call-function";
import {
  containsSecret,
  revealed,
  secretValue,
  type Properties,
} from "./engine/property-value";
import type { ProcessParts } from "./dynamic-provider";

/** The value of `Exchange.by` for calls of data sources. */
export const DATA_SOURCE = "a data source";

const byName: Readonly<Record<string, FunctionDefinition>> = functions;

/**
 * Calls a data source in the process of the program, as the functions for TypeScript do.
 */
export async function askInProgram(
  { settings, fetch }: Pick<ProcessParts, "settings" | "fetch">,
  name: string,
  args: Properties,
): Promise<Properties> {
  const source = byName[name];
  if (!source) throw new Error(`There is no data source ${name}.`);
  const sources = settingSources((key) => settings[key.split(":")[1] ?? ""]);
  const client = createClient({ ...optionsFromEnvironment(sources), fetch });
  const plain = revealed(args);
  try {
    const answer = (await callFunction(source, {
      client,
      args: plain,
    })) as Properties;
    return containsSecret(args) ? allSecret(answer) : answer;
  } catch (error) {
    if (containsSecret(args)) redactArguments(error, plain);
    throw error;
  }
}

const allSecret = (answer: Properties): Properties =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, secretValue(value)]),
  );
