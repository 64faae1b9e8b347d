import type { MetricChart } from '@/shared/api';
import { resolved } from '@/shared/theme/use-theme';
import { colourOf } from './format';

const HEAD = 48;

/** A drawn chart with title and legend as an image file. */
export function chartPicture(
  drawn: HTMLCanvasElement,
  chart: MetricChart,
  colours: { text: string; background: string },
): Promise<Blob | null> {
  const scale = window.devicePixelRatio || 1;
  const picture = document.createElement('canvas');
  picture.width = drawn.width;
  picture.height = drawn.height + HEAD * scale;
  const pen = picture.getContext('2d');
  if (!pen) return Promise.resolve(null);
  pen.fillStyle = colours.background;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(drawn, 0, HEAD * scale);
  pen.scale(scale, scale);
  pen.font = '600 14px system-ui';
  pen.fillStyle = colours.text;
  pen.fillText(chart.title, 12, 20);
  pen.font = '12px system-ui';
  let left = 12;
  chart.series.forEach((series, index) => {
    pen.fillStyle = resolved(colourOf(series, index));
    pen.fillRect(left, 32, 12, 3);
    pen.fillStyle = colours.text;
    pen.fillText(series.label, left + 16, 38);
    left += 36 + pen.measureText(series.label).width;
  });
  return new Promise((resolve) => picture.toBlob(resolve));
}
