import type { CDPSession, Page } from '@playwright/test';

/** MiB of the heap; nodes and listeners of the document, or kept by scripts. */
export interface PageMemory {
  mib: number;
  nodes: number;
  listeners: number;
}

const MEASURES = ['mib', 'nodes', 'listeners'] as const;

/** What a page keeps after a collection of garbage, as the browser's developer tools report it. */
export class MemoryMeter {
  private constructor(private readonly devtools: CDPSession) {}

  static async of(page: Page): Promise<MemoryMeter> {
    return new MemoryMeter(await page.context().newCDPSession(page));
  }

  async read(): Promise<PageMemory> {
    await this.devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.devtools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await this.devtools.send('Memory.getDOMCounters');
    return { mib: usedSize / 2 ** 20, nodes, listeners: jsEventListeners };
  }
}

/** Of each measure the least: what is there for a moment, as a notice, is no growth. */
export function leastOf(seen: readonly PageMemory[]): PageMemory {
  const [mib = 0, nodes = 0, listeners = 0] = MEASURES.map((of) => Math.min(...seen.map((one) => one[of])));
  return { mib, nodes, listeners };
}

/** How much larger a page has become, of each measure, as a part of what it was. */
export function growth(from: PageMemory, to: PageMemory): PageMemory {
  const [mib = 0, nodes = 0, listeners = 0] = MEASURES.map((of) => to[of] / from[of] - 1);
  return { mib, nodes, listeners };
}

export function described({ mib, nodes, listeners }: PageMemory): string {
  return `${mib.toFixed(2)} MiB, ${nodes} nodes, ${listeners} listeners`;
}
