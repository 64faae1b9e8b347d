import type {
  AlertRecord,
  BeatState,
  BusyTable,
  HistoryRecord,
  PageWayRecord,
  ScreenRecord,
  WayRecord,
  WayTotals,
} from '../../src/shared/api';

const MINUTE = 60_000;
const LISTED = 10;
const states: BeatState[] = ['beating', 'standing', 'unmeasured', 'stopped'];

/** The answers of walls on which much happens: with each the figures differ, ways, tables and alerts come and go. */
export class BusyWall {
  /** `quiet`: the real answer of a platform without links. */
  constructor(private readonly quiet: ScreenRecord) {}

  /** The answer of that number to a call. */
  answer(path: string, number: number): object {
    if (path === 'overview-monitor/get') return this.screen(number, Date.now() + number * 5000);
    if (path === 'overview-monitor/history') return this.history(number, Date.now() + number * 30_000);
    return path === 'point-to-point/page' ? this.ways(number) : this.totals(number);
  }

  private ways(number: number): PageWayRecord {
    return { records: listedAt(number).map((id) => way(id, number)), total: 40 };
  }

  private totals(number: number): WayTotals {
    return {
      failed: number % 3,
      lagMs: (number * 13) % 9000,
      rowsPerSecond: (number * 37) % 90_000,
      states: { beating: number % 40, standing: number % 7 },
      tables: 800,
      ways: 40,
    };
  }

  private screen(number: number, now: number): ScreenRecord {
    const listed = listedAt(number);
    return {
      ...this.quiet,
      at: new Date(now).toISOString(),
      problems: number % 5,
      rowsPerSecond: (number * 37) % 90_000,
      lagMs: (number * 13) % 9000,
      ways: listed.map((id) => way(id, number)),
      waysTotal: 40,
      busyTables: listed.map((id) => table(id, number)),
      alerts: listed.slice(number % LISTED).map((id) => alert(id, now)),
      alertsTotal: number % 20,
    };
  }

  private history(number: number, now: number): HistoryRecord {
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const values = (factor: number) =>
      minutes.map((minute) => ((minute + number) % 17 === 0 ? null : ((minute + number) * factor) % 5000));
    return {
      times: minutes.map((minute) => Math.floor(now / MINUTE) * MINUTE + (minute - 60) * MINUTE),
      captured: values(31),
      applied: values(29),
      lagMs: values(7),
    };
  }
}

function listedAt(number: number): number[] {
  return Array.from({ length: LISTED }, (_, place) => place + Math.floor(number / 7));
}

function way(id: number, number: number): WayRecord {
  const place = (side: string) => ({
    kind: 'postgresql',
    place: { address: `${side}${id}.example:5432`, product: 'PostgreSQL', title: `${side}${id}` },
  });
  return {
    id: `w${id}`,
    linkId: `l${id}`,
    taskId: `t${id}`,
    name: `link ${id}`,
    source: place('source'),
    target: place('target'),
    state: states[(id + number) % states.length] ?? 'beating',
    tables: 20,
    failed: (id + number) % 9 === 0 ? 2 : 0,
    rowsPerSecond: (id * number) % 3 === 0 ? null : (id * number) % 4000,
    lagMs: (id * number) % 700,
    tookMs: (id * number) % 90,
  };
}

function table(id: number, number: number): BusyTable {
  const state = id % 2 ? 'incremental-running' : 'suspended';
  const rowsPerSecond = (id * number) % 900;
  return {
    id: `b${id}`,
    name: `shop.t${id}`,
    linkId: `l${id}`,
    linkName: `link ${id}`,
    state,
    rowsPerSecond,
    lagMs: id,
  };
}

function alert(id: number, now: number): AlertRecord {
  const at = new Date(now - id).toISOString();
  return {
    id: `a${id}`,
    kind: 'lag',
    kindName: 'Lag',
    content: `link ${id} is behind`,
    level: [0, 1, 3][id % 3] ?? 0,
    clientType: 'client',
    customerId: 'c',
    customerName: 'c',
    linkId: `l${id}`,
    taskId: null,
    objectName: `link ${id}`,
    acknowledgedBy: null,
    acknowledgedTime: null,
    resolvedBy: null,
    resolvedTime: null,
    assigneeId: null,
    assigneeName: null,
    muted: false,
    mutedUntil: null,
    open: true,
    reason: null,
    recordTime: at,
    recoveredTime: null,
    remedy: '',
    status: 0,
    updateTime: at,
  };
}
