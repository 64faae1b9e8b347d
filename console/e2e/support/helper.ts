import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { checkout, python } from './checkout';

/** A program in Python that does what tests ask for, one request after the other: a line of JSON in, a line of JSON out. */
export class Helper {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: Interface;
  private turn: Promise<unknown> = Promise.resolve();
  private complaints = '';

  /** `module`: of this folder. */
  constructor(module: string) {
    this.child = spawn(python, ['-m', `console.e2e.support.${module}`], { cwd: checkout });
    this.child.stderr.on('data', (chunk) => {
      this.complaints += chunk;
    });
    this.lines = createInterface(this.child.stdout);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.end();
    await ended;
  }

  protected ask<Answer>(request: object): Promise<Answer> {
    const answer = this.turn.then(() => this.exchange<Answer>(request));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private exchange<Answer>(request: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`The helper of the tests has ended: ${this.complaints}`));
      this.child.once('exit', onExit);
      this.lines.once('line', (line) => {
        this.child.off('exit', onExit);
        const { answer, error } = JSON.parse(line) as { answer: Answer; error?: string };
        if (error) reject(new Error(error));
        else resolve(answer);
      });
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }
}
