import dayjs from 'dayjs';

const MOMENT = /\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(?:\+00:00| UTC\b)/g;

/** A text of the server with its moments in UTC in the viewer's zone, to the minute or second that they have. */
export function localTimes(text: string): string {
  return text.replace(MOMENT, (_, day: string, minute: string, second: string | undefined) =>
    dayjs(`${day}T${minute}${second ?? ''}Z`).format(second ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD HH:mm'),
  );
}
