/** After so long without a key or a pointer nobody is taken to be at the page. */
const UNATTENDED_AFTER = 60_000;

let touchedAt = Date.now();

/** Begins to notice that somebody is at the page. */
export function watchAttendance(): void {
  const touched = () => {
    touchedAt = Date.now();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    window.addEventListener(type, touched, { capture: true, passive: true });
  }
}

export function isUnattended(): boolean {
  return Date.now() - touchedAt > UNATTENDED_AFTER;
}
