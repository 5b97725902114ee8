import { roomsAreKept } from "../helpers/rooms";

roomsAreKept(
  "clone/src",
  {
    read: [],
    compare: ["read"],
    declare: ["read"],
    recover: ["read"],
    drift: ["read", "recover"],
    write: ["declare", "read"],
    sync: ["declare", "read", "recover", "write"],
  },
  ["index.ts"],
);
