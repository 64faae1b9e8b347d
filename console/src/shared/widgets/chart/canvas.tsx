import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useShownTheme } from '@/shared/theme/use-theme';
import { chartOptions } from './options';
import type { ChartProps } from './props';

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

/** Draws a chart and follows the size of its place; pages in the back have none and are left alone. */
export default function Canvas(props: ChartProps) {
  const theme = useShownTheme();
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts>(undefined);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) chart.current?.resize();
    });
    chart.current = init(element, undefined, { renderer: 'svg' });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.dispose();
    };
  }, []);
  const { onChoose } = props;
  useEffect(() => {
    const drawn = chart.current;
    if (!drawn || !onChoose) return;
    const choose = ({ dataIndex }: { dataIndex?: number }) => dataIndex !== undefined && onChoose(dataIndex);
    drawn.on('click', choose);
    return () => {
      if (!drawn.isDisposed()) drawn.off('click', choose);
    };
  }, [onChoose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options read the colours of the theme
  useEffect(() => {
    chart.current?.setOption(chartOptions(props), true);
  }, [props, theme]);
  return <div ref={place} className="chart-canvas" role="img" aria-label={props.title} />;
}
