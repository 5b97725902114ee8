import type { Region } from "@devid/sdk";

/** What identifies an environment for people. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The environment that a person names: the one with this ID, otherwise the only one with
 * this name. If there is none, or if several have the name, the sentence that says so.
 */
export function environmentNamed<E extends Named>(
  idOrName: string,
  all: readonly E[],
  region: Region,
): E | { readonly problem: string } {
  const byId = all.find(({ id }) => id === idOrName);
  if (byId) return byId;
  const [found, ...others] = all.filter(({ name }) => name === idOrName);
  if (found && others.length === 0) return found;
  return {
    problem: found
      ? `Several environments in region ${region} are called "${idOrName}": ${environmentsInWords([found, ...others])}. Name one by its ID.`
      : `The workspace in region ${region} has no environment "${idOrName}"; it has ${environmentsInWords(all)}.`,
  };
}

/** `ae_1 (Default), ae_2 (Staging)` */
const environmentsInWords = (all: readonly Named[]): string =>
  all.map(({ id, name }) => `${id} (${name})`).join(", ") || "none";

/** Says that none of the listed environments is the default one. */
export const noDefaultEnvironment = (region: Region): string =>
  `The workspace in region ${region} lists no environment that could be the default one, though every workspace has one. Check with devid whoami which workspace the key is for.`;
