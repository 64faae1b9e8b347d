import { useRef, useState } from 'react';
import {
  ApiError,
  type ConnectionChoice,
  call,
  datasourcePreviewSource,
  type TablePreviewRecord,
} from '@/shared/api';

/** What the service answered to a connection as it was filled in, or why there is no answer. */
export interface Preview {
  phase: 'running' | 'shown' | 'failed';
  /** The connection that was asked about. */
  connection: ConnectionChoice;
  found?: TablePreviewRecord;
  error?: Error;
}

/** The line of the document that an error is about. */
export function lineOf(error: Error | undefined): number | undefined {
  const facts =
    error instanceof ApiError ? (error.data as { facts?: { line?: unknown } } | null)?.facts : undefined;
  const line = Number(facts?.line);
  return Number.isInteger(line) && line > 0 ? line : undefined;
}

/** Shows one table at a time; the answer to an abandoned question is dropped. */
export function usePreview() {
  const [preview, setPreview] = useState<Preview>();
  const latest = useRef(0);
  const ask = async (connection: ConnectionChoice, table: string): Promise<void> => {
    latest.current += 1;
    const own = latest.current;
    setPreview((before) => ({ phase: 'running', connection, found: before?.found }));
    const outcome = await call(datasourcePreviewSource({ body: { connection, table } })).then(
      (found): Preview => ({ phase: 'shown', connection, found }),
      (error: Error): Preview => ({ phase: 'failed', connection, error }),
    );
    if (own === latest.current) setPreview(outcome);
  };
  return { preview, ask };
}
