"""OpenSearch or Elasticsearch: an index for each table, a document for each row."""
