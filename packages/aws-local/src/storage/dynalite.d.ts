/** The part of dynalite, which has no types, that is used here. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options: {
    /** Folder of the LevelDB. */
    path: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Server;
}
