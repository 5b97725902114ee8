import {
  EncryptionKeyFilter,
  EncryptionKeyRecord,
  EncryptionKeyUpdate,
} from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, notFound } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { recordOf } from "../store/database/record-columns";
import type { EncryptionKeyRow } from "../store/database/schema";
import { listOperation } from "./list-operation";

const One = z.object({ data: EncryptionKeyRecord });

/** `/encryption-keys`: docs/contract.md, "GET /encryption-keys" to "POST /encryption-keys/{id}/revert". */
export function encryptionKeyOperations(context: Context): Operation[] {
  const { encryptionKeys } = context.store;
  const found = (key: EncryptionKeyRow | undefined, id: string) => {
    if (!key) throw notFound("encryption key", id);
    return { data: show(key) };
  };
  return [
    listOperation(context, encryptionKeys, {
      name: "listEncryptionKeys",
      path: "/encryption-keys",
      summary: "List encryption keys, one for each environment",
      filter: EncryptionKeyFilter,
      record: EncryptionKeyRecord,
      show,
    }),
    operation({
      name: "getEncryptionKey",
      method: "GET",
      path: "/encryption-keys/:id",
      summary: "Get an encryption key",
      answer: One,
      run: ({ workspace, id }) => found(encryptionKeys.get(workspace, id), id),
    }),
    operation({
      name: "updateEncryptionKey",
      method: "PATCH",
      path: "/encryption-keys/:id",
      summary: "Change, activate or deactivate an encryption key",
      body: EncryptionKeyUpdate,
      answer: One,
      run: ({ workspace, id, body }) =>
        found(encryptionKeys.update(workspace, id, body), id),
    }),
    operation({
      name: "rotateEncryptionKey",
      method: "POST",
      path: "/encryption-keys/:id/rotate",
      summary: "Rotate an encryption key",
      description:
        "The current token becomes the previous one, the next one becomes the current one, and a new next one is made.",
      answer: One,
      run: ({ workspace, id }) =>
        found(encryptionKeys.rotate(workspace, id), id),
    }),
    operation({
      name: "revertEncryptionKey",
      method: "POST",
      path: "/encryption-keys/:id/revert",
      summary: "Revert the last rotation of an encryption key",
      answer: One,
      errors: [409],
      run: ({ workspace, id }) => {
        found(encryptionKeys.get(workspace, id), id);
        const data = encryptionKeys.revert(workspace, id);
        if (data) return { data: show(data) };
        throw new AnswerError(
          "conflict",
          `Encryption key ${id} has no rotation to revert.`,
        );
      },
    }),
  ];
}

const show = (row: EncryptionKeyRow) => recordOf(EncryptionKeyRecord, row);
