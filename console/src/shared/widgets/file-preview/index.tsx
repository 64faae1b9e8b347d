import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bytes } from '@/shared/lib/figures';
import { saveFile } from '@/shared/lib/save-file';
import { EmptyState } from '@/shared/ui/empty-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { MarkdownArticle } from '../markdown';
import { FileTable } from './file-table';
import {
  contentOf,
  type FileContent,
  type FileKind,
  isTooLarge,
  parseCsv,
  prettyJson,
  SHOWN_ROWS,
} from './kinds';
import './file-preview.css';

interface Props {
  /** Its ending says how it is shown. */
  name: string;
  content: Blob;
  /** Shows Parquet and workbooks, which the browser cannot read; without it they can only be kept. */
  renderRecords?: (content: Blob) => ReactNode;
}

/** A file as it looks: text, tables, articles, pictures, PDF; what cannot be shown can be kept. */
export function FilePreview({ name, content, renderRecords }: Props) {
  const { t } = useTranslation();
  return (
    <section className="file-preview" aria-label={name}>
      <header>
        <strong>{name}</strong>
        <span>{bytes(content.size)}</span>
        <Button icon={<DownloadOutlined />} onClick={() => saveFile(name, content)}>
          {t('file.save')}
        </Button>
      </header>
      <Content name={name} content={content} renderRecords={renderRecords} />
    </section>
  );
}

function Content({ name, content, renderRecords }: Props) {
  const { t } = useTranslation();
  const found = useContent(name, content);
  if (isTooLarge(content)) return <EmptyState title={t('file.tooLarge')} />;
  if (!found) return <LoadingState rows={4} />;
  const { kind, type } = found;
  if (kind === 'records' && renderRecords) return renderRecords(content);
  if (kind === 'records' || kind === 'unknown') return <EmptyState title={t('file.unknown')} />;
  if (type) return <Embedded name={name} content={content} type={type} isPicture={kind === 'picture'} />;
  return <Written name={name} content={content} kind={kind} />;
}

function useContent(name: string, content: Blob): FileContent | undefined {
  const [found, setFound] = useState<FileContent>();
  useEffect(() => {
    let isWanted = true;
    setFound(undefined);
    contentOf(name, content).then((what) => isWanted && setFound(what));
    return () => {
      isWanted = false;
    };
  }, [name, content]);
  return found;
}

function Embedded({ name, content, type, isPicture }: Props & { type: string; isPicture: boolean }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const own = URL.createObjectURL(new Blob([content], { type }));
    setAddress(own);
    return () => URL.revokeObjectURL(own);
  }, [content, type]);
  if (!address) return <LoadingState rows={4} />;
  return isPicture ? (
    <img src={address} alt={name} />
  ) : (
    <iframe src={address} title={name} className="file-frame" />
  );
}

function useText(content: Blob): string | undefined {
  const [text, setText] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    content.text().then((read) => isWanted && setText(read));
    return () => {
      isWanted = false;
    };
  }, [content]);
  return text;
}

function Written({ name, content, kind }: Props & { kind: FileKind }) {
  const text = useText(content);
  if (text === undefined) return <LoadingState rows={4} />;
  if (kind === 'article') return <MarkdownArticle source={text} contents />;
  if (kind === 'table') return <CsvTable name={name} text={text} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <pre tabIndex={0}>{kind === 'json' ? prettyJson(text) : text}</pre>
  );
}

function CsvTable({ name, text }: { name: string; text: string }) {
  const [head = [], ...rows] = parseCsv(text);
  return <FileTable name={name} head={head} rows={rows.slice(0, SHOWN_ROWS)} total={rows.length} />;
}
