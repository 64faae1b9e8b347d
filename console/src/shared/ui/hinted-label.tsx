import { QuestionCircleOutlined } from '@ant-design/icons';
import { Space } from 'antd';
import { Tip } from './tip';

interface Props {
  label: string;
  /** No mark is shown where it is left out. */
  hint: string | undefined;
}

/** What a field is called, with a mark that explains it: for forms in one line, which have no room below a field. */
export function HintedLabel({ label, hint }: Props) {
  if (!hint) return label;
  return (
    <Space size={4}>
      {label}
      <Tip title={hint} whenPressed>
        <QuestionCircleOutlined tabIndex={0} aria-label={hint} />
      </Tip>
    </Space>
  );
}
