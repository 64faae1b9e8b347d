"""Apache Doris and StarRocks."""
